export default {
  unrecorded: {
    deciderId: 'the changer of the decision',
    domainId: 'where the person was, for the links of mails alone',
    finishedAt: 'the date of the row that records the status',
  },
}
