// What the user reads when signing in fails; told apart from failures of the request itself by its class.
import { UserError } from 'n8n-workflow';

export class SignInError extends UserError {}
