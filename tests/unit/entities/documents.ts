export default {
  unrecorded: {
    versionAt: 'says when the version rose, which the history of `version` says too',
  },
}
