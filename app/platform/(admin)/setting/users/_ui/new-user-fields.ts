'use client'

import { createContext } from 'react'
import type { UserBlock } from '@/lib/accounts/user-table/fields'

/** The fields that the form of a new account asks for. */
export const NewUserFields = createContext<UserBlock['fields']>([])
