/// Takes in a body as it came over the wire, undoes its compression and holds the result to the limit.
struct BodyReceiver {
    /// Why a body is not taken.
    struct Refusal {
        var kind: TransportError.Kind
        var text: String
    }

    /// The body so far, decompressed.
    private(set) var bytes: [UInt8] = []
    /// Why the body was refused; nil while it was not.
    private(set) var refusal: Refusal?
    private let limit: Int
    private let redaction: Redaction
    private var received = 0
    private var decompressor: Decompressor?
    private let decompressors: IdleDecompressors
    private var hasBegun = false

    init(
        limit: Int, redaction: Redaction = Redaction(),
        decompressors: IdleDecompressors = IdleDecompressors(most: 0)
    ) {
        self.limit = limit
        self.redaction = redaction
        self.decompressors = decompressors
    }

    /// Receives bytes; `coding` is the Content-Encoding of the response, all its lines joined with commas, read
    /// with the first of them. False ends the transfer.
    mutating func receive(_ piece: UnsafeRawBufferPointer, coding: @autoclosure () -> String?) -> Bool {
        if !hasBegun {
            hasBegun = true
            guard begin(coding() ?? "") else { return false }
        }
        guard let decompressor else { return unsafe add(piece) }
        guard count(piece.count) else { return false }
        switch unsafe decompressor.write(piece, give: { unsafe add($0) }) {
        case .accepted: return true
        case .refused: return false
        case .damaged:
            return refuse(
                .encoding, "the body is not the \(decompressor.coding.rawValue) stream that it says it is")
        }
    }

    /// Why a body that ended without a fault on the wire is not whole after all.
    var shortage: Refusal? {
        guard let decompressor, !decompressor.isWhole else { return nil }
        return Refusal(
            kind: .truncated, text: "the \(decompressor.coding.rawValue) stream ends before its end")
    }

    /// Gives the decompressor back; no bytes come after it.
    mutating func end() {
        guard let decompressor else { return }
        decompressors.keep(decompressor)
        self.decompressor = nil
    }

    private mutating func begin(_ header: String) -> Bool {
        let names = header.lowercased().split { $0 == "," || $0 == " " || $0 == "\t" }
            .filter { $0 != "identity" }
        guard let name = names.first else { return true }
        guard names.count == 1 else {
            return refuse(
                .encoding,
                "the body is compressed \(names.count) times ('\(shown(header))'), which was not requested"
            )
        }
        guard let coding = ContentCoding(name: String(name)) else {
            return refuse(
                .encoding,
                "the body is compressed as '\(shown(header))'; accepted: \(ContentCoding.accepted)")
        }
        decompressor = decompressors.decompressor(for: coding)
        return decompressor != nil || refuse(.failed, "no memory to decompress")
    }

    /// The beginning of a header. Masked before it is cut: the cut could leave half a secret that no longer matches.
    private func shown(_ header: String) -> Substring { redaction.masked(header).prefix(40) }

    /// Counts compressed bytes: frames without content would otherwise go on until the time is up. What
    /// cannot be compressed grows a little.
    private mutating func count(_ more: Int) -> Bool {
        received += more
        return received - limit <= limit / 64 + 1024
            || refuse(.tooLarge, "the compressed body has more than \(limit) bytes")
    }

    private mutating func add(_ piece: UnsafeRawBufferPointer) -> Bool {
        guard piece.count <= limit, bytes.count <= limit - piece.count else {
            return refuse(.tooLarge, "the body has more than \(limit) bytes")
        }
        unsafe bytes.append(contentsOf: piece)
        return true
    }

    private mutating func refuse(_ kind: TransportError.Kind, _ text: String) -> Bool {
        refusal = Refusal(kind: kind, text: text)
        return false
    }
}
