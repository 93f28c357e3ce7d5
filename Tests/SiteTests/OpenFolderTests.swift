import Files
import Foundation
import Platform
import Testing

/// A file that is written gets a place of its own: under its other names, such as in the site that readers see, stay the
/// bytes that were there.
struct OpenFolderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func text(_ name: String) throws -> String {
        String(decoding: try readFile("\(folder.path)/\(name)"), as: UTF8.self)
    }

    @Test func aSecondNameIsNeverWrittenThrough() throws {
        try folder.write("live", "old")
        try FileManager.default.linkItem(
            atPath: folder.path + "/live", toPath: folder.path + "/page")
        let open = try OpenFolder(folder.path)
        let failure = #expect(throws: FileFailure.self) { try open.write("page", Array("new".utf8)) }
        #expect(failure?.code == EEXIST)
        #expect(try text("live") == "old")
        try open.replace("page", Array("new".utf8))
        #expect(try text("live") == "old" && text("page") == "new")
    }

    #if os(Linux)
        /// What may be written and not removed: as root a name at which a file is mounted, else one in a folder that may not
        /// be changed.
        @Test func whatCannotBeRemovedIsNotWrittenThrough() throws {
            try folder.write("live", "old")
            try folder.write("inner/page", "old")
            let page = folder.path + "/inner/page"
            if getuid() == 0 {
                guard mount(folder.path + "/live", page, "", UInt(MS_BIND), nil) == 0 else { return }
            } else {
                #expect(chmod(folder.path + "/inner", 0o555) == 0)
            }
            defer {
                umount2(page, Int32(MNT_DETACH))
                chmod(folder.path + "/inner", 0o755)
            }
            let open = try OpenFolder(folder.path)
            #expect(throws: FileFailure.self) { try open.replace("inner/page", Array("new".utf8)) }
            #expect(try text("live") == "old" && text("inner/page") == "old")
        }
    #endif
}
