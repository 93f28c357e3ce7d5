import AppHealth

/// One frame of an exception that an SDK of Sentry's sent.
struct ThrownFrame {
    var file: String?
    var line: Int?
    /// Whether it is the app's own code.
    var isInApp: Bool
}

/// Where exceptions were thrown, of which the causes come first: the last frame of the app's own code in the last of them
/// that has frames, otherwise its last frame with a file. The frame that crashed is last.
func placeThrown(in exceptions: [[ThrownFrame]]) -> CodePlace? {
    let frames = (exceptions.last { !$0.isEmpty } ?? []).filter { $0.file != nil }
    guard let frame = frames.last(where: \.isInApp) ?? frames.last, let file = frame.file else { return nil }
    return CodePlace(file: file, line: frame.line.flatMap { $0 > 0 ? $0 : nil })
}
