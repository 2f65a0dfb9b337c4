"""What leaves this machine: documents of strangers (`http`) and nodes of chains (`rpc`)."""
