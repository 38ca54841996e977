'use client'

import { useState } from 'react'
import { AvatarEditor } from '@/components/avatar/avatar-editor'
import { sends } from '@/components/form/actions'
import { pictureRule } from '@/lib/fields/picture-rule'

const load = () => import('@/lib/my-account/avatar/contract').then((calls) => calls.deleteAvatar)

/** The editor of an own picture; nothing leaves the browser. */
export function AvatarExample() {
  const [picture, setPicture] = useState<string | null>(null)
  return (
    <AvatarEditor
      initials="СВ"
      picture={picture}
      rule={pictureRule}
      save={async (file) => {
        setPicture(URL.createObjectURL(file))
        return undefined
      }}
      removes={sends(load, {}, { send: async () => ({}), onDone: () => setPicture(null) })}
    />
  )
}
