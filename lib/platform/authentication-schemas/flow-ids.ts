/** The ways to prove who one is. */
export const flowIds = ['credentials', 'email_code', 'sms_code'] as const
