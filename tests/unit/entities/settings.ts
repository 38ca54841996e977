export default {
  unrecorded: { value: 'recorded under the setting’s own name' },
}
