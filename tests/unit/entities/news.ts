const progress = ['publishedAt', 'toldUpTo', 'toldAt', 'reached', 'mailed']

export default {
  unrecorded: {
    audienceId: 'recorded as the role, contractor, organization or domain that it is',
    ...Object.fromEntries(
      progress.map((name) => [name, 'how far people are told; the history of the status says when it began']),
    ),
  },
}
