private import CCmark

/// The version of the library that reads Markdown.
package var cmarkVersion: String { unsafe String(cString: cmark_version_string()) }
