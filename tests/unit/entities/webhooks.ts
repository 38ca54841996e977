export default {
  unrecorded: {
    secrets: 'recorded as the field `secret`',
    disabledReason: 'why the platform switched `enabled`',
  },
}
