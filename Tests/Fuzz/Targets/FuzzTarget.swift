import Platform

/// Code that reads what strangers send, and what must hold of it for every input; a crash, a hang and a promise that is
/// broken end the run.
struct FuzzTarget: Sendable {
    let name: String
    let take: @Sendable ([UInt8]) -> Void

    init(_ name: String, _ take: @escaping @Sendable ([UInt8]) -> Void) {
        (self.name, self.take) = (name, take)
    }
}

/// All of them, in the order of the manual.
let targets = [
    jsonTarget, decoderTarget, csvTarget, yamlTarget, configurationTarget, templateTarget, markdownTarget,
    cutTarget, slugTarget, versionTarget, linkTarget, dateTarget, leakTarget, drawingTarget,
]

/// Ends the process when something does not hold.
func require(_ holds: Bool, _ what: String) {
    if holds { return }
    print("broken: \(what)")
    // What is printed to a file waits in memory, which an abort drops.
    fflush(nil)
    abort()
}

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

/// The bytes up to the first zero, and those after it.
func halves(_ bytes: [UInt8]) -> (first: [UInt8], second: [UInt8]) {
    guard let end = bytes.firstIndex(of: 0) else { return (bytes, []) }
    return (Array(bytes[..<end]), Array(bytes[(end + 1)...]))
}
