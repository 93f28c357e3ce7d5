import AppHealth

extension BugsinkEvent {
    /// What kind of problem the event tells of: a hang by the name that Sentry's SDKs give it, a crash when
    /// nothing handled it, otherwise an error.
    var kind: Issue.Kind {
        let names = [exception?.type?.value?.text, exception?.mechanism?.value?.type?.value?.text]
        if names.contains(where: { $0.map(isHang) ?? false }) { return .hang }
        let isUnhandled = exception?.mechanism?.value?.handled?.value == false
        return isUnhandled || data?.value?.level?.value?.text == "fatal" ? .crash : .error
    }

    /// The innermost frame of the app's own code, otherwise the innermost that names a file.
    var place: CodePlace? {
        let frames = (exception?.stacktrace?.value?.frames?.values ?? []).reversed()
            .filter { $0.filename?.value?.nonEmpty != nil }
        guard let frame = frames.first(where: { $0.isInApp?.value == true }) ?? frames.first,
            let file = frame.filename?.value?.nonEmpty
        else { return nil }
        let line = frame.line?.value?.value
        return CodePlace(file: file, line: line.flatMap { $0 > 0 ? $0 : nil })
    }

    /// The exception that was thrown last.
    private var exception: Exception? { data?.value?.exception?.value?.values.last }
}

private func isHang(_ name: String) -> Bool {
    ["applicationnotresponding", "app hanging", "anr", "apphang", "backgroundanr"].contains(
        name.lowercased())
}
