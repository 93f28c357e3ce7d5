// What stands out of the page, or of its main part, to the right or the left, unless it is inside a box that scrolls by itself.
() => {
    const root = document.documentElement, wide = root.clientWidth, main = document.querySelector("main");
    const edges = main.getBoundingClientRect();
    const scrolls = element => {
        for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) {
            if (/auto|scroll/.test(getComputedStyle(at).overflowX)) return true;
        }
        return false;
    };
    const name = element => element.tagName.toLowerCase()
        + (element.getAttribute("class") ? "." + element.getAttribute("class").split(" ").join(".") : "");
    const found = [];
    for (const element of document.body.querySelectorAll("*")) {
        if (element.ownerSVGElement || element.classList.contains("skip")) continue;
        const box = element.getBoundingClientRect();
        const left = main.contains(element) ? edges.left : 0, right = main.contains(element) ? edges.right : wide;
        if (box.width <= 1 || (box.right <= right + 1 && box.left >= left - 1) || scrolls(element)) continue;
        found.push(`${name(element)} reaches from ${Math.round(box.left)} to ${Math.round(box.right)} of ${Math.round(left)} to ${Math.round(right)} px`);
    }
    for (const words of main.querySelectorAll("svg text")) {
        if (getComputedStyle(words).visibility === "hidden") continue;
        const box = words.getBoundingClientRect(), chart = words.ownerSVGElement.getBoundingClientRect();
        if (box.width > 0 && (box.right > chart.right + 1 || box.left < chart.left - 1)) {
            found.push(`“${words.textContent}” reaches from ${Math.round(box.left)} to ${Math.round(box.right)}, `
                + `its chart from ${Math.round(chart.left)} to ${Math.round(chart.right)} px`);
        }
    }
    // A date that is cut at the edge of its box reads as a month.
    for (const date of main.querySelectorAll(".scroll .releases .date")) {
        const box = date.getBoundingClientRect(), edge = date.closest(".scroll").getBoundingClientRect();
        if (box.width > 0 && box.right > edge.right + 1) {
            found.push(`the date “${date.textContent.trim()}” is cut by ${Math.round(box.right - edge.right)} px`);
        }
    }
    if (root.scrollWidth > wide) found.unshift(`the page is ${root.scrollWidth} px wide in ${wide}`);
    return found.slice(0, 3);
}
