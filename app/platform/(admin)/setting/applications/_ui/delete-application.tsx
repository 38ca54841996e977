'use client'

import { usePathname, useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { TextField } from '@/components/form/text-field'
import { useWriter } from '@/components/form/use-write'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { DialogBody, DialogCancel, DialogFooter } from '@/components/ui/dialog'
import { deleteApplication } from '@/lib/oidc/applications/contract'

type Props = { id: string; code: string; onDone: () => void }

/** Deletes an application after its code is typed, and leaves its card. */
export function DeleteApplication({ id, code, onDone }: Props) {
  const t = useTranslations('applications')
  const router = useRouter()
  const path = usePathname()
  const { write, pending, reason } = useWriter()
  const [typed, setTyped] = useState('')
  const [wrong, setWrong] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setFailure(undefined)
    if (typed.trim().toLowerCase() !== code.toLowerCase()) return setWrong(t('deleteMismatch', { code }))
    const outcome = await write(deleteApplication, { params: { id } }, { failure: 'form' })
    if (outcome?.ok) {
      onDone()
      if (path.endsWith(id)) router.replace('/platform/setting/applications')
    } else if (outcome) setFailure(reason(outcome.error))
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
          label={t('deleteType', { code })}
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
