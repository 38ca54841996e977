'use client'

import { Eye, Pencil, Trash2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import type { RemoveCall } from '@/lib/kernel/http/area-calls'
import { ConfirmDialog } from '../ui/confirm-dialog'
import { Dialog, DialogBody, DialogCancel, DialogFooter } from '../ui/dialog'
import { MenuItem, MenuSeparator } from '../ui/menu'
import { RowMenu } from '../ui/row-menu'
import { useWrite } from './use-write'

type Shown = { title: string; text?: string }
type Removal = Shown & {
  contract: RemoveCall
  id: string
  /** Why it can't go now, in a dialog of its own instead of the question. */
  kept?: Shown
}
type Props = {
  /** What the row is known by. */
  row: string
  /** All there is to see, for those who may not change it. */
  view?: Shown & { body: ReactNode }
  /** The form; calls `done` when it is saved. */
  edit?: Shown & { form: (done: () => void) => ReactNode }
  remove?: Removal
}

/** The menu of a row: look at it, or change and delete it, each in its dialog. */
export function RowActions({ row, view, edit, remove }: Props) {
  const t = useTranslations('ui')
  const [dialog, setDialog] = useState<'view' | 'edit' | 'remove' | null>(null)
  const close = () => setDialog(null)
  return (
    <>
      <RowMenu row={row}>
        {view ? (
          <MenuItem onSelect={() => setDialog('view')}>
            <Eye aria-hidden="true" className="size-4" />
            {t('view')}
          </MenuItem>
        ) : null}
        {edit ? (
          <MenuItem onSelect={() => setDialog('edit')}>
            <Pencil aria-hidden="true" className="size-4" />
            {t('edit')}
          </MenuItem>
        ) : null}
        {remove ? (
          <>
            <MenuSeparator />
            <MenuItem tone="danger" onSelect={() => setDialog('remove')}>
              <Trash2 aria-hidden="true" className="size-4" />
              {t('delete')}
            </MenuItem>
          </>
        ) : null}
      </RowMenu>
      {view ? <Told {...view} open={dialog === 'view'} onClose={close} /> : null}
      {edit ? (
        <Dialog open={dialog === 'edit'} onOpenChange={close} title={edit.title} text={edit.text}>
          {edit.form(close)}
        </Dialog>
      ) : null}
      {remove?.kept ? <Told size="S" {...remove.kept} open={dialog === 'remove'} onClose={close} /> : null}
      {remove && !remove.kept ? <Remove {...remove} open={dialog === 'remove'} onClose={close} /> : null}
    </>
  )
}

type Opened = { open: boolean; onClose: () => void }

function Told({ title, text, body, size, open, onClose }: Shown & Opened & { body?: ReactNode; size?: 'S' }) {
  const t = useTranslations('ui')
  return (
    <Dialog open={open} onOpenChange={onClose} size={size} title={title}>
      <DialogBody label={title} className="grid content-start gap-3">
        {text ? <p>{text}</p> : null}
        {body}
      </DialogBody>
      <DialogFooter>
        <DialogCancel>{t('close')}</DialogCancel>
      </DialogFooter>
    </Dialog>
  )
}

function Remove({ contract, id, title, text, open, onClose }: Removal & Opened) {
  const t = useTranslations('ui')
  const { write, reason } = useWrite(contract, { failure: 'inside' })
  const remove = async () => {
    const outcome = await write({ params: { id } })
    return outcome?.ok === false ? reason(outcome.error) : undefined
  }
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onClose}
      title={title}
      text={text}
      confirm={t('delete')}
      onConfirm={remove}
    />
  )
}
