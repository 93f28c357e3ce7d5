import Files
import Foundation
import Platform
import Testing

@testable import Publishing

/// Files that are copied and hashed piece by piece.
struct FilePiecesTests {
    /// Nothing, less than a piece, exactly one, and several.
    @Test(arguments: [0, 1, 1 << 20, (3 << 20) + 7])
    func copiesEveryByte(count: Int) throws {
        let folder = try TestFolder()
        let text = String(String(repeating: "0123456789abcdef", count: count / 16 + 1).prefix(count))
        try folder.write("source", text)
        var seen: [UInt8] = []
        try copyFile("\(folder.path)/source", to: "\(folder.path)/seen") { seen += $0 }
        try copyFile("\(folder.path)/source", to: "\(folder.path)/copy", rights: 0o600)
        #expect(seen == Array(text.utf8))
        #expect(folder.text("seen") == text && folder.text("copy") == text)
        var status = stat()
        #expect(stat("\(folder.path)/copy", &status) == 0 && status.st_mode & 0o777 == 0o600)
        let digest = try LocalDigest(of: "\(folder.path)/source", withMD5: true)
        #expect(digest.size == count && digest.sha256 == contentHash(seen) && digest.md5.count == 16)
    }

    @Test func replacesNothingAndLeavesNothing() throws {
        let folder = try TestFolder()
        try folder.write("source", "new")
        try folder.write("target", "old")
        #expect(throws: FileFailure.self) {
            try copyFile("\(folder.path)/source", to: "\(folder.path)/target")
        }
        #expect(throws: FileFailure.self) { try copyFile("\(folder.path)/none", to: "\(folder.path)/other") }
        #expect(throws: FileFailure.self) { try copyFile(folder.path, to: "\(folder.path)/other") }
        #expect(folder.tree() == ["source": "new", "target": "old"])
    }
}
