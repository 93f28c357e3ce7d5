extension Version {
    /// Version and build of `3.7.0 (371)`; any other label as it is. Only what begins with a digit is a build: `3.7.0
    /// (beta)` is another version.
    package init(withBuildIn text: String) {
        guard text.last == ")", let open = text.lastIndex(of: "(") else {
            self.init(text)
            return
        }
        let build = text[text.index(after: open)...].dropLast()
        let label = String(text[..<open].reversed().drop { $0 == " " }.reversed())
        let isBuild = build.first.map { ("0"..."9").contains($0) } ?? false
        if isBuild, Version(label).isNumber {
            self.init(label, build: String(build))
        } else {
            self.init(text)
        }
    }
}
