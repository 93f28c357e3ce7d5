/// One value or one key of a JSON text: where it lies among the bytes and among the other tokens.
///
/// Numbers have 32 bits, for a text has many tokens; longer texts are refused by the scan.
struct JSONToken: Sendable {
    enum Kind: UInt8 {
        case null, yes, no, number, text, list, object
    }

    var kind: Kind
    /// A text whose bytes are its characters: without an escape and without a control character.
    var isPlain = true
    /// The first byte; of a text the one after its quotation mark.
    var start: UInt32
    /// The byte after the last, before the quotation mark; of a list or an object the number of its elements.
    var end: UInt32 = 0
    /// The token that follows this one and all that is in it.
    var next: UInt32
    /// The list or the object in which this one lies; its own number for the whole.
    var parent: UInt32
    /// Its place among the elements of the parent; a key has that of its value.
    var place: UInt32 = 0

    /// The bytes of a scalar or a key.
    var range: Range<Int> { Int(start)..<Int(end) }
    /// How many elements a list or members an object has.
    var count: Int { Int(end) }
}
