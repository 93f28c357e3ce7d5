/// A workflow that runs every night, keeps the archive on a branch and publishes Pages.
func workflowText(of places: SchedulePlaces) -> String {
    """
    # Every night: fetch, build, keep the archive on the branch 'plimsoll-archive', publish to Pages.
    # Once: Settings > Pages > Source: GitHub Actions. Then run this by hand with 'first' ticked.
    # In a public repository, schedules end after 60 days without activity, and everybody can read the archive's
    # branch: see schedule/archive.sh.
    name: Stability report

    on:
      schedule:
        - cron: "17 5 * * *" # UTC; at full hours runs are late or dropped
      workflow_dispatch:
        inputs:
          first:
            description: The very first run, without an archive
            type: boolean
            default: false
          app:
            description: Verdict on the newest release of this app, in place of a report
            type: string
            default: ""

    permissions:
      contents: read

    concurrency:
      group: plimsoll
      cancel-in-progress: false

    env:
      # Where plimsoll comes from: your copy of its Debian package, with its SHA-256.
      PLIMSOLL_PACKAGE: ${{ vars.PLIMSOLL_PACKAGE }}
      PLIMSOLL_SHA256: ${{ vars.PLIMSOLL_SHA256 }}

    jobs:
      report:
        if: github.event_name == 'schedule' || inputs.app == ''
        runs-on: ubuntu-24.04
        container: debian:12
        timeout-minutes: 45
        permissions:
          contents: write # the branch of the archive
          pages: write
          id-token: write
        environment:
          name: github-pages
          url: ${{ steps.deployment.outputs.page_url }}
        steps:
          - name: Install
            run: |
              apt-get update -q
              apt-get install -y -q --no-install-recommends ca-certificates curl git sqlite3 zstd age
              curl -fsSLo plimsoll.deb "$PLIMSOLL_PACKAGE"
              echo "$PLIMSOLL_SHA256  plimsoll.deb" | sha256sum -c -
              apt-get install -y -q ./plimsoll.deb
          - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
          - name: Get the archive
            id: archive
            env:
              AGE_KEY: ${{ secrets.PLIMSOLL_AGE_KEY }}
              FIRST: ${{ inputs.first && '--first' || '' }}
            run: |
              git config --global --add safe.directory "$PWD"
              sh schedule/archive.sh get $FIRST
          - name: Fetch and build
            # Exit code 1: the site was built, and shows what failed.
            run: plimsoll run --no-publish --no-attach || test $? -eq 1
            env:
              NO_COLOR: "1"
              # SOURCE_TOKEN: ${{ secrets.SOURCE_TOKEN }}
          - name: Keep the archive
            # Also after a failed or canceled run: what was fetched is kept. Never without the archive that it continues.
            if: always() && steps.archive.outcome == 'success'
            env:
              AGE_KEY: ${{ secrets.PLIMSOLL_AGE_KEY }}
            run: sh schedule/archive.sh keep
          - name: Check the site
            run: plimsoll check
          - uses: actions/upload-pages-artifact@56afc609e74202658d3ffba0e8f6dda462b719fa # v3.0.1
            with:
              path: \(yamlWord(places.site))
          - id: deployment
            uses: actions/deploy-pages@d6db90164ac5ed86f2b6aed7e0febac5b3c0c03e # v4.0.5
          - name: Attach summaries
            # Once the archive is kept and the pages that they link to are there.
            id: attach
            run: if grep -q '^attach:' plimsoll.yml; then plimsoll attach; fi
            env:
              NO_COLOR: "1"
              # CHAT_URL: ${{ secrets.CHAT_URL }}
          - name: Keep what was attached
            # Also after a canceled run: what was sent is not sent again.
            if: always() && steps.attach.outcome != 'skipped'
            env:
              AGE_KEY: ${{ secrets.PLIMSOLL_AGE_KEY }}
            run: sh schedule/archive.sh keep

      # Gate a rollout: run this workflow with an app; it fails unless the verdict is Go.
      verdict:
        if: inputs.app != ''
        runs-on: ubuntu-24.04
        container: debian:12
        timeout-minutes: 15
        steps:
          - name: Install
            run: |
              apt-get update -q
              apt-get install -y -q --no-install-recommends ca-certificates curl git sqlite3 zstd age
              curl -fsSLo plimsoll.deb "$PLIMSOLL_PACKAGE"
              echo "$PLIMSOLL_SHA256  plimsoll.deb" | sha256sum -c -
              apt-get install -y -q ./plimsoll.deb
          - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
          - name: Get the archive
            env:
              AGE_KEY: ${{ secrets.PLIMSOLL_AGE_KEY }}
            run: |
              git config --global --add safe.directory "$PWD"
              sh schedule/archive.sh get
          - name: Verdict
            env:
              APP: ${{ inputs.app }}
            run: |
              code=0
              plimsoll verdict --app "$APP" --format markdown >>"$GITHUB_STEP_SUMMARY" || code=$?
              exit $code

    """
}

/// A path as one word of YAML.
private func yamlWord(_ text: String) -> String {
    shellWord(text) == text ? text : "'" + text.replacing("'", with: "''") + "'"
}
