export default {
  unrecorded: { enteredBy: 'who entered its address: the changer of that row, or who switched it on' },
}
