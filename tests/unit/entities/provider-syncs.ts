export default {
  unrecorded: {
    providerId: 'it never changes its provider',
    type: 'there is one type',
    actorId: 'who saved or started it last: the changer of that row',
  },
}
