const later = 'no verb writes it so far'

export default {
  unrecorded: {
    passwordHash: 'recorded as password',
    passwordChangedAt: 'the date of that row',
    passwordChangeRequired: 'goes with temporary and password',
    emailVerifiedAt: 'goes with email: an account begins with a proven one',
    mobileVerifiedAt: 'goes with mobile',
    authenticationSchemaId: 'recorded by its code as authenticationSchema',
    providerId: later,
    values: 'each value as field:<code>',
    version: 'bookkeeping',
  },
}
