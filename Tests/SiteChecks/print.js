// Text that would be pale on white paper, and boxes that would be cut off because paper does not scroll.
() => {
    const found = [];
    const light = value => {
        const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
        canvas.fillStyle = value;
        canvas.fillRect(0, 0, 1, 1);
        const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map(part => {
            const share = part / 255;
            return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const cache = new Map();
    const contrast = value => {
        if (!cache.has(value)) cache.set(value, 1.05 / (light(value) + 0.05));
        return cache.get(value);
    };
    for (const element of document.querySelectorAll("body, body *")) {
        const style = getComputedStyle(element), box = element.getBoundingClientRect();
        if (style.display === "none" || box.width <= 1) continue;
        const name = element.tagName.toLowerCase() + " " + (element.getAttribute("class") ?? "");
        const words = [...element.childNodes].filter(node => node.nodeType === 3).map(node => node.data.trim()).join("");
        const colour = element.ownerSVGElement ? style.fill : style.color;
        if (words && colour !== "none" && !/^rgba\\(.*, 0\\)$/.test(colour) && contrast(colour) < 4.4) {
            found.push(`${name} “${words.slice(0, 30)}” is printed in ${colour}`);
        }
        if (!element.ownerSVGElement && /auto|scroll|hidden/.test(style.overflowX) && element.scrollWidth > element.clientWidth + 1) {
            found.push(`${name} is cut off in print: ${element.scrollWidth} px in ${element.clientWidth}`);
        }
    }
    return found.slice(0, 4);
}
