'use client'

import { Pencil } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ComponentType, type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { Button } from '../ui/button'
import { useLater } from '../ui/use-later'
import { CardGroup } from './group'
import { useFilling } from './use-filling'

type Props<P> = {
  title: string
  note?: ReactNode
  /** Loads the form of the group when it is first used: a component that renders GroupForm. */
  form: () => Promise<ComponentType<P & { onDone: () => void }>>
  /** The form's props. */
  of: P
  /** Whether the person may edit it; otherwise it is a CardGroup. */
  mayEdit: boolean
  /** The names of its fields. An address that names one opens the form with the focus in it. */
  fields?: readonly string[]
  /** The group as text, rendered by the server. */
  children: ReactNode
}

/** Focuses the requested field, once. Returns whether it exists. */
function focusOn(group: HTMLElement | null, filling: RefObject<string | null>): boolean {
  const name = filling.current
  filling.current = null
  if (!name) return false
  // an id ends with the name of the field
  const ids = [...(group?.querySelectorAll('[id]') ?? [])].map(({ id }) => id).filter((id) => id.endsWith(name))
  const [id] = ids.toSorted((a, b) => a.length - b.length)
  document.getElementById(id ?? '')?.focus()
  return id !== undefined
}

/** A group of a card that is edited in place, while the other groups stay as they are. */
export function EditableGroup<P extends object>({ title, note, form, of, mayEdit, fields = [], children }: Props<P>) {
  const t = useTranslations('ui')
  const { Part, wake, ask } = useLater(form)
  const [editing, setEditing] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const group = useRef<HTMLDivElement>(null)
  const returning = useRef(false)
  const filling = useRef<string | null>(null)
  const formOpen = editing && Part !== null
  useFilling(mayEdit ? fields : [], (field) => {
    filling.current = field
    setEditing(true)
    ask()
    if (formOpen) focusOn(group.current, filling)
  })
  useLayoutEffect(() => {
    if (formOpen) {
      returning.current = true
      if (focusOn(group.current, filling)) return
      // on a phone the on-screen keyboard would cover half of it
      const first = group.current?.querySelector<HTMLElement>(
        'input:not([type=hidden]), textarea, button[role=combobox]',
      )
      if (!window.matchMedia('(pointer: coarse)').matches) first?.focus()
      else group.current?.focus()
    } else if (returning.current) {
      returning.current = false
      button.current?.focus()
    }
  }, [formOpen])
  return (
    <CardGroup
      title={title}
      note={note}
      action={
        formOpen || !mayEdit ? null : (
          <Button
            {...wake}
            ref={button}
            variant="secondary"
            size="S"
            aria-label={`${t('edit')}: ${title}`}
            onClick={(event) => {
              setEditing(true)
              wake.onClick(event)
            }}
          >
            <Pencil aria-hidden="true" className="size-4" />
            {t('edit')}
          </Button>
        )
      }
    >
      {formOpen ? (
        // biome-ignore lint/a11y/useSemanticElements: the form inside has its own elements
        <div ref={group} role="group" aria-label={title} tabIndex={-1} data-quiet-focus className="min-w-0">
          <Part {...of} onDone={() => setEditing(false)} />
        </div>
      ) : (
        children
      )}
    </CardGroup>
  )
}
