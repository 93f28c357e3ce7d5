/// A pipeline that runs on its schedule, keeps the archive on a branch and publishes Pages.
func pipelineText(of places: SchedulePlaces) -> String {
    """
    # Every night: fetch, build, keep the archive on the branch 'plimsoll-archive', publish to Pages.
    # Once: add a pipeline schedule (Build > Pipeline schedules) at an odd minute, and these variables, all masked and
    # protected: PLIMSOLL_PACKAGE and PLIMSOLL_SHA256 (your copy of the Debian package and its SHA-256),
    # PLIMSOLL_PUSH_TOKEN (a project access token with write_repository), and those that plimsoll.yml names.
    # In a public project everybody can read the archive's branch, unless PLIMSOLL_AGE_KEY has a key of age-keygen.
    # For the very first run, start the pipeline by hand with the variable FIRST=--first.

    .plimsoll:
      image: debian:12
      resource_group: plimsoll
      interruptible: false
      variables:
        GIT_DEPTH: "1"
        NO_COLOR: "1"
      before_script:
        - apt-get update -q
        - apt-get install -y -q --no-install-recommends ca-certificates curl git sqlite3 zstd age
        - curl -fsSLo plimsoll.deb "$PLIMSOLL_PACKAGE"
        - echo "$PLIMSOLL_SHA256  plimsoll.deb" | sha256sum -c -
        - apt-get install -y -q ./plimsoll.deb
        - sh schedule/archive.sh get $FIRST

    # Also after a failure: what was fetched is kept. An expired token must fail the job, and GitLab ignores what fails
    # in after_script. The token goes in a header, not in an argument.
    .keep: &keep |
      (
        export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0="http.$CI_SERVER_URL/.extraHeader"
        export GIT_CONFIG_VALUE_0="Authorization:Basic $(printf 'plimsoll:%s' "$PLIMSOLL_PUSH_TOKEN" | base64 -w0)"
        PUSH_URL="$CI_PROJECT_URL.git" sh schedule/archive.sh keep
      )

    pages:
      extends: .plimsoll
      stage: deploy
      timeout: 45 minutes
      variables:
        # Together less than the timeout of the job, so that after_script has its time.
        RUNNER_SCRIPT_TIMEOUT: 35m
        RUNNER_AFTER_SCRIPT_TIMEOUT: 5m
      rules:
        - if: $CI_PIPELINE_SOURCE == "schedule"
        - if: $FIRST
      script:
        - |
          if [ -z "$PLIMSOLL_PUSH_TOKEN" ]; then
            echo "error: PLIMSOLL_PUSH_TOKEN is not set, so this run could not be kept" >&2
            exit 1
          fi
        - code=0; plimsoll run --no-publish --no-attach || code=$?
        - *keep
        # Exit code 1: the site was built, and shows what failed.
        - test "$code" -le 1
        - plimsoll check
        # The site may be in 'public' itself.
        - |
          rm -rf public.new && cp -R \(shellWord(places.site)) public.new
          rm -rf public && mv public.new public
        # Once the archive is kept and the site is checked; what was sent is kept, too. A target that fails is tried again
        # by the next run.
        - code=0; if grep -q '^attach:' plimsoll.yml; then plimsoll attach || code=$?; fi
        - *keep
        - test "$code" -le 1
      # Also after a job that was canceled (from GitLab 17.1 on) or took too long: what was sent is not sent again.
      after_script:
        - if [ "$CI_JOB_STATUS" = success ]; then exit 0; fi
        - *keep
      artifacts:
        paths: [public]
        expire_in: 1 week

    # Gate a rollout: start the pipeline with the variable APP; it fails unless the verdict is Go.
    verdict:
      extends: .plimsoll
      stage: deploy
      timeout: 15 minutes
      rules:
        - if: $APP
      script:
        - plimsoll verdict --app "$APP"

    """
}
