import { hasMarks } from './prepared-accounts'
import { userSettings, users } from './schema/people'
import { userPictures } from './schema/pictures'

/**
 * The columns of an account, of its settings and of its picture that claims are made of, and whether it has marks: then
 * the account needs a look at its doubts.
 */
export const claimedColumns = {
  id: users.id,
  login: users.login,
  email: users.email,
  emailVerifiedAt: users.emailVerifiedAt,
  mobile: users.mobile,
  mobileVerifiedAt: users.mobileVerifiedAt,
  lastName: users.lastName,
  firstName: users.firstName,
  middleName: users.middleName,
  fio: users.fio,
  locale: users.locale,
  lang: userSettings.lang,
  updatedAt: users.updatedAt,
  picture: userPictures.id,
  hasMarks,
}
