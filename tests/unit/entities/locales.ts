export default {
  unrecorded: { immutable: 'comes with the platform' },
}
