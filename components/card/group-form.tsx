'use client'

import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Form, FormErrors, useGone } from '../form/form'
import { HeldFields } from '../form/held-fields'
import { SubmitButton } from '../form/submit-button'
import type { FormOf } from '../form/use-contract-form'
import { Button } from '../ui/button'

type Props = {
  form: FormOf<unknown>
  /** Ends the editing. */
  onDone: () => void
  /** By default *Save*. */
  verb?: string
  /** What saving does, as a note beside the buttons. */
  note?: ReactNode
  children: ReactNode
}

/**
 * The form of a group of a card: its fields, and below them *Cancel*, which discards what was typed, and the submit
 * button.
 */
export function GroupForm({ form, onDone, verb, note, children }: Props) {
  const t = useTranslations('ui')
  return (
    <Form form={form} className="grid min-w-0 rounded-card border border-line-strong bg-surface">
      <div className="@container grid min-w-0 gap-4 p-4 @min-[40rem]:p-5">
        <FormErrors />
        <HeldFields pending={form.pending}>{children}</HeldFields>
      </div>
      <footer className="flex flex-wrap items-center justify-end gap-2 border-line border-t px-4 py-3 @min-[40rem]:px-5">
        {note ? <p className="mr-auto min-w-0 basis-60 text-ink-second text-note">{note}</p> : null}
        <div className="flex grow flex-wrap justify-end gap-2 @max-[28rem]:*:grow">
          <Button variant="secondary" onClick={() => (form.pending ? undefined : onDone())}>
            {t('cancel')}
          </Button>
          <Submit verb={verb ?? t('save')} />
        </div>
      </footer>
    </Form>
  )
}

/** The submit button; renders nothing after another person deleted the object. */
function Submit({ verb }: { verb: string }) {
  const { gone, again } = useGone()
  const t = useTranslations('ui.conflict')
  if (gone && !again) return null
  return <SubmitButton>{gone ? t('createAgain') : verb}</SubmitButton>
}

/** Fields of a group side by side if there is room: two, or three if they are short. */
export function GroupFields({ short = false, children }: { short?: boolean; children: ReactNode }) {
  return (
    <div
      className={
        short
          ? 'grid items-start gap-4 @min-[28rem]:grid-cols-2 @min-[44rem]:grid-cols-3'
          : 'grid items-start gap-4 @min-[34rem]:grid-cols-2'
      }
    >
      {children}
    </div>
  )
}
