export default {
  unrecorded: { base: 'comes with the platform' },
}
