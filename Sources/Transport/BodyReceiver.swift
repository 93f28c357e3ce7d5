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
    private var gunzip: Gunzip?
    private var hasBegun = false

    init(limit: Int) {
        self.limit = limit
    }

    /// Takes bytes; `coding` is the Content-Encoding of the answer, read with the first of them. False ends
    /// the transfer.
    mutating func take(_ piece: UnsafeRawBufferPointer, coding: String?) -> Bool {
        if !hasBegun {
            hasBegun = true
            guard begin(coding) else { return false }
        }
        guard let gunzip else { return unsafe add(piece) }
        switch unsafe gunzip.take(piece, give: { unsafe add($0) }) {
        case .taken: return true
        case .refused: return false
        case .damaged: return refuse(.encoding, "the body is not the gzip stream that it says it is")
        }
    }

    /// Why a body that ended without a fault on the wire is not whole after all.
    var shortage: Refusal? {
        guard let gunzip, !gunzip.isWhole else { return nil }
        return Refusal(kind: .truncated, text: "the gzip stream ends before its end")
    }

    private mutating func begin(_ coding: String?) -> Bool {
        switch coding?.lowercased() ?? "" {
        case "", "identity": return true
        case "gzip", "x-gzip":
            gunzip = Gunzip()
            return gunzip != nil || refuse(.failed, "no memory to decompress")
        case let other:
            return refuse(
                .encoding, "the body is compressed as '\(other.prefix(40))', which nobody asked for")
        }
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
