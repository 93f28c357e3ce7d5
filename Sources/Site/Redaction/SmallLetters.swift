/// UTF-8 with small letters in the place of capitals; those whose small letter takes another number of bytes stay.
func smallLetters(_ bytes: [UInt8]) -> [UInt8] {
    var small = bytes
    var index = 0
    while index < small.count {
        let lead = small[index]
        switch lead {
        case 0..<0x80: small[index] = smallLetter(lead)
        case 0xC2...0xDF where index + 1 < small.count:
            let value = Int(lead & 0x1F) << 6 | Int(small[index + 1] & 0x3F)
            let letter = smallLettersOfTwoBytes[value - 0x80]
            (small[index], small[index + 1]) = (0xC0 | UInt8(letter >> 6), 0x80 | UInt8(letter & 0x3F))
            index += 1
        // Latin with several marks, as Vietnamese has it, and old Greek.
        case 0xE1 where index + 2 < small.count && small[index + 1] >= 0xB8:
            let value = 0x1000 | UInt32(small[index + 1] & 0x3F) << 6 | UInt32(small[index + 2] & 0x3F)
            let letter = Unicode.Scalar(value).map { Array($0.properties.lowercaseMapping.utf8) } ?? []
            if letter.count == 3 { small.replaceSubrange(index...(index + 2), with: letter) }
            index += 2
        default: break
        }
        index += 1
    }
    return small
}

/// A letter of ASCII without the difference between capitals and small letters.
@inline(__always)
func smallLetter(_ byte: UInt8) -> UInt8 { byte >= 65 && byte <= 90 ? byte | 0x20 : byte }

/// The small letters of U+0080 to U+07FF: Latin, Greek, Cyrillic, Armenian.
private let smallLettersOfTwoBytes: [UInt32] = (UInt32(0x80)..<0x800).map { value in
    let small = Unicode.Scalar(value)?.properties.lowercaseMapping.unicodeScalars
    guard let small, small.count == 1, let letter = small.first, (0x80..<0x800).contains(letter.value) else {
        return value
    }
    return letter.value
}
