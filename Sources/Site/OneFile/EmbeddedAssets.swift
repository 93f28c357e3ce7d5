import Diagnostics
import Files
import Foundation

/// A page with the pictures and fonts of its theme in it, where it names them: as `data:` URLs it needs no other file.
///
/// - Throws: a diagnostic that names an asset that cannot be in it.
func embeddingAssets(_ page: [UInt8], _ assets: ThemeAssets) throws(Diagnostic) -> [UInt8] {
    var page = page
    for asset in assets.files {
        let address = Array(asset.address.utf8)
        var (result, copied, from): ([UInt8], Int, Int) = ([], 0, 0)
        while let found = place(of: address, in: page, from: from) {
            from = found + address.count
            let start = startOfAddress(endingAt: found, in: page)
            // Text of a report has no quotes and no tags of its own: what is in some is the theme's.
            guard start > 0, isQuote(page[start - 1]) || isInTag(start, page) else { continue }
            guard isQuote(page[start - 1]), from < page.count, page[from] == page[start - 1],
                let type = embeddedType(of: asset.name)
            else {
                throw .usage(
                    "theme.not-alone", "The asset '\(asset.name)' cannot be in a single file",
                    at: .file(path: asset.file),
                    hints: [
                        "name it in an attribute of its own, with quotes around it, or not in templates of 'single-file'"
                    ])
            }
            result += page[copied..<start]
            result += Array("data:\(type);base64,\(Data(asset.bytes).base64EncodedString())".utf8)
            copied = from
        }
        if copied > 0 { page = result + page[copied...] }
    }
    return page
}

func place(of bytes: [UInt8], in page: [UInt8], from start: Int) -> Int? {
    guard let first = bytes.first, page.count >= bytes.count else { return nil }
    var index = start
    while index <= page.count - bytes.count {
        if page[index] == first, page[index..<index + bytes.count].elementsEqual(bytes) { return index }
        index += 1
    }
    return nil
}

/// Where an address begins whose part from the folder of the site on is at a place.
private func startOfAddress(endingAt place: Int, in page: [UInt8]) -> Int {
    var start = place
    while start >= 3, page[start - 3..<start].elementsEqual("../".utf8) { start -= 3 }
    return start
}

/// Whether a place is in a tag where an address can begin: behind `=`, in `url(…)`, or in a list such as `srcset`.
private func isInTag(_ place: Int, _ page: [UInt8]) -> Bool {
    guard "=(, ".utf8.contains(page[place - 1]),
        let edge = page[..<place].lastIndex(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">") })
    else { return false }
    return page[edge] == UInt8(ascii: "<")
}

private func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }

/// What a browser takes from a `data:` URL; nil of what it would not, or what would be more than a picture or a font.
func embeddedType(of name: String) -> String? {
    mediaType(of: name).flatMap { $0.hasPrefix("image/") || $0.hasPrefix("font/") ? $0 : nil }
}
