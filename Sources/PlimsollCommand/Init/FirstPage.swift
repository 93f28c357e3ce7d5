/// The text that `init` writes for the home page.
let firstPageText = """
    These pages show how stable our apps are and how much they are used.
    Edit `Content/index.md` to change this text; more Markdown files in `Content/` become pages.

    """
