import Platform

/// What libFuzzer calls with each input, from its own main function: `PLIMSOLL_FUZZ` names the target.
@_cdecl("LLVMFuzzerTestOneInput")
public func take(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    guard let current else {
        print("set PLIMSOLL_FUZZ to one of: \(targets.map(\.name).joined(separator: ", "))")
        exit(2)
    }
    current.take(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}

/// The target of this process.
private let current: FuzzTarget? = getenv("PLIMSOLL_FUZZ").flatMap { name in
    targets.first { $0.name == String(cString: name) }
}
