import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import * as merge from './merge'
import * as ofPerson from './of-person'
import * as people from './people'
import * as pictures from './pictures'
import * as service from './service'

export default endpoints(calls, { ...merge, ...ofPerson, ...people, ...pictures, ...service })
