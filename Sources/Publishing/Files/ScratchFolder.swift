import Diagnostics
import Files
import Foundation
import Platform

/// A folder that only this user may read, removed with the value: for what a program reads and prints.
final class ScratchFolder: Sendable {
    let path: String

    init() throws(Diagnostic) {
        path = NSTemporaryDirectory() + "/plimsoll-\(randomName())"
        guard mkdir(path, 0o700) == 0 else { throw fileProblem("make the folder", path) }
    }

    deinit { removeTree(path) }

    /// Writes a program of the shell; gives its path.
    func program(_ name: String, _ lines: String) throws(Diagnostic) -> String {
        let path = "\(self.path)/\(name)"
        try createLocalFile(path, Array("#!/bin/sh\n\(lines)\n".utf8), rights: 0o700)
        return path
    }

    /// Writes a file that only this user may read; gives its path.
    func file(_ name: String, _ bytes: [UInt8]) throws(Diagnostic) -> String {
        let path = "\(self.path)/\(name)"
        try createLocalFile(path, bytes, rights: 0o600)
        return path
    }
}
