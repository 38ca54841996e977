'use client'

import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { TextField } from '@/components/form/text-field'
import { useWriter } from '@/components/form/use-write'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { DialogBody, DialogCancel, DialogFooter } from '@/components/ui/dialog'

import { deleteUser } from '@/lib/people/user-administration/contract'

/** Deletes an account after its login is typed, and leaves its card. */
export function DeleteUser({ id, login }: { id: string; login: string }) {
  const t = useTranslations('users')
  const router = useRouter()
  const { write, pending, reason } = useWriter()
  const [typed, setTyped] = useState('')
  const [wrong, setWrong] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setFailure(undefined)
    if (typed.trim().toLowerCase() !== login.toLowerCase()) return setWrong(t('deleteMismatch', { login }))
    const outcome = await write(deleteUser, { params: { id } }, { failure: 'form' })
    if (outcome?.ok) router.replace('/platform/setting/users')
    else if (outcome) setFailure(reason(outcome.error))
  }
  return (
    <form onSubmit={submit} className="contents" noValidate>
      <DialogBody className="grid content-start gap-5">
        {failure ? (
          <Alert tone="danger" role="alert">
            {failure}
          </Alert>
        ) : null}
        <TextField
          label={t('deleteType', { login })}
          error={wrong}
          value={typed}
          autoComplete="off"
          onChange={(event) => {
            setTyped(event.target.value)
            setWrong(undefined)
          }}
        />
      </DialogBody>
      <DialogFooter>
        <DialogCancel />
        <Button type="submit" variant="danger" pending={pending}>
          {t('deleteVerb')}
        </Button>
      </DialogFooter>
    </form>
  )
}
