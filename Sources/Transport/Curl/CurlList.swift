import CCurl

/// Appends texts to a list of libcurl's, which copies them; whoever has the list frees it.
func append(
    _ texts: [String], to list: inout UnsafeMutablePointer<curl_slist>?, doing: String
) throws(CurlFailure) {
    for text in texts {
        guard let longer = unsafe curl_slist_append(list, text) else { throw .outOfMemory(doing: doing) }
        unsafe list = longer
    }
}
