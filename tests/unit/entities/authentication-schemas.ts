export default {
  unrecorded: { base: 'comes with the platform', priority: 'recorded as the place' },
}
