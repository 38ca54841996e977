import { contract } from '@/lib/kernel/http/contract'
import { codeErrors, SentCode } from '../password/contract'

export const requestDeletionCode = contract({
  name: 'requestDeletionCode',
  method: 'POST',
  path: '/user/profile/deletion/code',
  summary: 'Sends the code that allows to delete the account, to its main contact',
  tag: 'personal',
  access: 'user',
  notice: 'deletionCode',
  response: SentCode,
  errors: { ...codeErrors, profileReadOnly: 403, directoryAccount: 405 },
  sensitive: true,
})
