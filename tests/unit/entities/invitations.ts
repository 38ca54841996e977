export default {
  unrecorded: {
    idHash: 'the link of the moment; sending it again is recorded by expiresAt',
    inviterId: 'the changer of the creation',
    userId: 'the changer of the acceptance',
    domainId: 'where the inviter was, for the link alone',
    locale: 'the language of the mail',
    mobile: 'recorded with the account that it becomes part of',
    mobileVerifiedAt: 'goes with mobile',
    sentAt: 'goes with expiresAt',
    finishedAt: 'the date of the row that records the status',
  },
}
