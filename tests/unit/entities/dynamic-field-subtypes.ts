export default {
  unrecorded: { type: 'part of its id in the history', systemic: 'comes with the platform' },
}
