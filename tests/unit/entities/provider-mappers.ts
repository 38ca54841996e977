export default {
  unrecorded: { syncId: 'a mapper never changes its synchronization' },
}
