import Diagnostics
import Foundation
import Markup

/// A mail as it goes over the wire: text and HTML of the same document, CRLF at the end of each line.
struct MailMessage {
    let from: String
    let to: [String]
    let subject: String
    /// The same for the same summary, so that a mailbox can drop a repetition.
    let id: String
    /// What all mails about one app refer to.
    let thread: String
    let listID: String?
    let unsubscribe: String?
    var text: String
    var html: String

    /// The mail with the date of its sending.
    func bytes(at seconds: Int?) -> [UInt8] {
        let boundary = "=_plimsoll_" + digest(text + html)
        var lines = [
            "From: \(from)", "To: \(to.joined(separator: ",\r\n "))", "Subject: \(encodedWords(subject))",
        ]
        if let seconds { lines.append("Date: \(mailDate(seconds))") }
        lines += [
            "Message-ID: \(id)", "References: \(thread)", "Auto-Submitted: auto-generated",
            "X-Auto-Response-Suppress: All",
        ]
        if let listID { lines.append("List-Id: <\(listID)>") }
        if let unsubscribe { lines.append("List-Unsubscribe: <mailto:\(unsubscribe)>") }
        lines += [
            "MIME-Version: 1.0", "Content-Type: multipart/alternative; boundary=\"\(boundary)\"", "",
        ]
        for (type, part) in [("text/plain", text), ("text/html", html)] {
            lines += [
                "--\(boundary)", "Content-Type: \(type); charset=utf-8",
                "Content-Transfer-Encoding: quoted-printable", "", quotedPrintable(part),
            ]
        }
        lines += ["--\(boundary)--", ""]
        return Array(lines.joined(separator: "\r\n").utf8)
    }
}

/// A header's text in encoded words where it is not plain ASCII (RFC 2047), folded to short lines.
func encodedWords(_ text: String) -> String {
    let clean = String(text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : Character($0) })
    guard !clean.utf8.allSatisfy({ $0 < 0x80 }) || clean.utf8.count > 60 else { return clean }
    // An encoded word has 75 characters at most: 45 bytes, at the border of a character.
    var words: [String] = []
    var current: [UInt8] = []
    for character in clean {
        let bytes = Array(String(character).utf8)
        if current.count + bytes.count > 42, !current.isEmpty {
            words.append("=?utf-8?B?\(Data(current).base64EncodedString())?=")
            current = []
        }
        current += bytes
    }
    words.append("=?utf-8?B?\(Data(current).base64EncodedString())?=")
    return words.joined(separator: "\r\n ")
}

/// Text as quoted-printable (RFC 2045 §6.7): lines of 76 characters at most.
func quotedPrintable(_ text: String) -> String {
    var lines: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        var current = ""
        let bytes = Array(line.utf8)
        for (index, byte) in bytes.enumerated() where byte != 0x0D {
            let isLast = index == bytes.count - 1
            let isPlain = (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "=")
            let isSpace = (byte == 0x20 || byte == 0x09) && !isLast
            let piece = isPlain || isSpace ? String(UnicodeScalar(byte)) : "=" + upperHexadecimal(byte)
            if current.utf8.count + piece.utf8.count > 75 {
                lines.append(current + "=")
                current = ""
            }
            current += piece
        }
        lines.append(current)
    }
    return lines.joined(separator: "\r\n")
}

/// `Fri, 20 Nov 2026 06:00:00 +0000` (RFC 5322 §3.3).
func mailDate(_ seconds: Int) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, d MMM yyyy HH:mm:ss '+0000'"
    return formatter.string(from: Date(timeIntervalSince1970: Double(seconds)))
}
