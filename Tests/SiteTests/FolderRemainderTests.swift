import Files
import Platform
import Testing

/// What is said of a folder that was to go and is still there.
struct FolderRemainderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func check(
        _ name: String, after refusal: Int32? = nil, isMoved: Bool?, _ code: Int32? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let failure = refusal.map { FileFailure("remove", "a", code: $0) }
        let rest = removeOrSetAside("\(folder.path)/\(name)", nextTo: "\(folder.path)/site", after: failure)
        #expect(rest?.isMoved == isMoved, sourceLocation: sourceLocation)
        #expect(rest?.refusal?.code == code, sourceLocation: sourceLocation)
        guard let rest else { return }
        #expect(
            isMoved == true
                ? rest.path.hasPrefix("\(folder.path)/site.late-") : rest.path == "\(folder.path)/\(name)",
            sourceLocation: sourceLocation)
        #expect(pathKind(rest.path) == .folder, sourceLocation: sourceLocation)
    }

    @Test func whatIsLeftIsMovedAndTheReasonIsKept() throws {
        try check("missing", isMoved: nil)
        try check("missing", after: EACCES, isMoved: nil)
        #expect(mkdir("\(folder.path)/empty", 0o755) == 0)
        try check("empty", after: EACCES, isMoved: nil)
        try folder.write("late/a", "1")
        try check("late", isMoved: true)
        try folder.write("refused/a", "1")
        try check("refused", after: EACCES, isMoved: true, EACCES)
        // The system removes no folder by such a path, and moves none.
        try folder.write("kept/a", "1")
        try check("kept/.", isMoved: false, EINVAL)
        try check("kept/.", after: EACCES, isMoved: false, EACCES)
    }

    /// Of the folder of another one, which a link leads to, none is replaced.
    @Test func privateFilesAreForTheirOwnerAlone() throws {
        try makePrivateFolder("\(folder.path)/a/b/")
        try folder.write("other", "theirs")
        let file = "\(folder.path)/a/b/file"
        #expect(symlink("\(folder.path)/other", file) == 0)
        for text in ["1", "2"] {
            try replacePrivateFile(file, Array(text.utf8))
            #expect(try readFile(file) == Array(text.utf8))
        }
        try syncPrivateFolder("\(folder.path)/a/b")
        let rights = try folderEntries("\(folder.path)/a").map { $0.rights.mode & 0o077 }
        #expect(rights == [0, 0] && pathKind(file, followsLink: false) == .file)
        #expect(try readFile("\(folder.path)/other") == Array("theirs".utf8))
        #expect(try folderNames("\(folder.path)/a/b") == ["file"])
    }
}
