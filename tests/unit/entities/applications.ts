const later = 'no verb writes it so far'

export default {
  unrecorded: {
    version: later,
    swaggerUrl: later,
    helpUrl: later,
    compodocUrl: later,
    techUrl: later,
    ip: later,
    immutable: later,
    order: 'follows from the order of creation',
  },
}
