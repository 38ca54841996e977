export default {
  unrecorded: {
    passwordHash: 'recorded as password',
    passwordChangedAt: 'the date of that row',
    passwordChangeRequired: 'goes with temporary and password',
    preparedBy: 'the history has who entered the e-mail, the mobile and the schema',
    preparedSince: 'as preparedBy',
    mobileEnteredBy: 'as preparedBy',
    schemaEnteredBy: 'as preparedBy',
    emailVerifiedAt: 'goes with email: an account begins with a proven one',
    mobileVerifiedAt: 'goes with mobile',
    authenticationSchemaId: 'recorded by its code as authenticationSchema',
    providerId: 'set when a directory brings the account; externalId is recorded',
    disabledByProvider: 'goes with enabled, whose reason names the directory',
    values: 'each value as field:<code>',
    version: 'bookkeeping',
  },
}
