# Each %name% is filled in by proxies.mts.
vcl 4.1;

backend service {
	.host = "127.0.0.1";
	.port = "%service%";
	%backend%
}
