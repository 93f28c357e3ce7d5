/// `123` of `projects/p/apps/a/issues/i/notes/123`, as Google's APIs name what they have.
func lastSegment(_ name: String) -> String {
    name.split(separator: "/").last.map(String.init) ?? name
}
