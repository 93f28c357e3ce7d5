/// Any key.
struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int?

    init(stringValue: String, intValue: Int?) {
        self.stringValue = stringValue
        self.intValue = intValue
    }

    init?(stringValue: String) {
        self.init(stringValue: stringValue, intValue: nil)
    }

    init?(intValue: Int) {
        self.init(stringValue: String(intValue), intValue: intValue)
    }
}
