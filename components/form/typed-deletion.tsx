'use client'

import { type FormEvent, useState } from 'react'
import type { CallError } from '@/lib/base/http/client'
import { Alert } from '../ui/alert'
import { Button } from '../ui/button'
import { DialogBody, DialogCancel, DialogFooter } from '../ui/dialog'
import { TextField } from './text-field'
import { useWriter } from './use-write'

type Props = {
  /** The text to type: the login of an account, the code of an application. Case is ignored. */
  word: string
  label: string
  /** The error after other text was typed. */
  mismatch: string
  verb: string
  /** Makes the call with `failure: 'form'`. */
  onDelete: (
    write: ReturnType<typeof useWriter>['write'],
  ) => Promise<{ ok: true } | { ok: false; error: CallError } | undefined>
  onDone: () => void
}

/** The form of a dialog that deletes something only after the person has typed its name. */
export function TypedDeletion({ word, label, mismatch, verb, onDelete, onDone }: Props) {
  const { write, pending, reason } = useWriter()
  const [typed, setTyped] = useState('')
  const [wrong, setWrong] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setFailure(undefined)
    if (typed.trim().toLowerCase() !== word.toLowerCase()) return setWrong(mismatch)
    const outcome = await onDelete(write)
    if (outcome?.ok) onDone()
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
          label={label}
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
          {verb}
        </Button>
      </DialogFooter>
    </form>
  )
}
