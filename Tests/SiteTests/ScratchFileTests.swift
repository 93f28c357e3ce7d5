import Files
import Foundation
import Testing

@testable import Site

/// What waits in a file without a name.
struct ScratchFileTests {
    @Test func givesBackWhatWasPutDownAndLeavesNothing() throws {
        let folder = try TemporaryFolder()
        let file = try ScratchFile(in: folder.path)
        let parts: [[UInt8]] = [[1, 2, 3], [], Array(repeating: 7, count: 300_000), [9]]
        let places = try parts.map { try file.put($0) }
        #expect(places.map(\.count) == parts.map(\.count))
        #expect(try places.reversed().map { try file.bytes(at: $0) } == parts.reversed())
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        #expect(throws: FileFailure.self) { try file.bytes(at: 300_000..<400_000) }
        #expect(throws: FileFailure.self) { try ScratchFile(in: folder.path + "/none") }
    }

    @Test func growsPieceByPieceAndIsReadInParts() throws {
        let folder = try TemporaryFolder()
        let parts: [[UInt8]] = [[1, 2, 3], [], Array(repeating: 7, count: 200_000), [9]]
        let path = folder.path + "/grown"
        let growing = try GrowingFile("grown", in: try OpenFolder(folder.path))
        for part in parts { try growing.append(part) }
        let all = Array(parts.joined())
        #expect(growing.size == all.count)
        #expect(try growing.finish() == ContentDigest(of: all))
        #expect(throws: FileFailure.self) { try GrowingFile(path) }
        let stored = try StoredFile(path)
        #expect(try stored.bytes(at: 0..<stored.size) == all)
        #expect(try stored.bytes(at: 2..<5) == [3, 7, 7])
        #expect(throws: FileFailure.self) { try stored.bytes(at: all.count..<all.count + 1) }
        #expect(throws: FileFailure.self) { try StoredFile(path + "s") }
        // What takes its name is another file.
        try writeFile(path + ".new", [1])
        #expect(rename(path + ".new", path) == 0)
        #expect(try stored.bytes(at: 0..<3) == [1, 2, 3])
    }

    @Test func digestsAreReadAsTheyAreWritten() {
        let digest = ContentDigest(of: Array("abc".utf8))
        let text = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(digest.description == text && contentHash(Array("abc".utf8)) == text)
        #expect(ContentDigest(hexadecimal: ArraySlice(text.utf8)) == digest)
        for wrong in ["", "\(text)0", text.uppercased(), String(text.dropLast()) + "g"] {
            #expect(ContentDigest(hexadecimal: ArraySlice(wrong.utf8)) == nil)
        }
    }
}
