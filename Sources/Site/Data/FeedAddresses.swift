import Diagnostics
import Pages

/// The page that a feed is of: the one in its folder.
func pageOfFeed(_ path: String) -> String {
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    return folder + "index.html"
}

/// Under the site's own address when it has one, else from the folder of the feed.
func address(_ target: String, from path: String, _ site: SiteFacts) -> String {
    if let base = site.baseURL { return base + target }
    return String(repeating: "../", count: path.count { $0 == "/" }) + target
}

extension FeedItem {
    /// Its permanent name.
    var urn: String { "urn:plimsoll:" + urnText(id) }
}

/// The characters that a URN may have (RFC 8141); the others are percent-encoded.
func urnText(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
        let scalar = Unicode.Scalar(byte)
        let isPlain =
            scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
        if isPlain || "-._~/:@".unicodeScalars.contains(scalar) {
            result.unicodeScalars.append(scalar)
        } else {
            result += percentCode(of: byte)
        }
    }
    return result
}
