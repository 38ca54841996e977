export default {
  unrecorded: {
    key: 'it never changes',
    actorId: 'who saved or started it last: the changer of that row',
    enteredBy: 'who saved it last: the changer of that row, or who switched it on',
  },
}
