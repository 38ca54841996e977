export default {
  unrecorded: {
    version: 'no verb writes it so far',
    immutable: 'no verb writes it so far',
  },
}
